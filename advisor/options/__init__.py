"""Every way to get a job done, predicted and priced: the step between prediction and recommendation.

``candidates.list_candidates`` says what there is, ``prediction.predict_options`` how long and how much memory each
takes, ``pricing.price_options`` what it costs; frozen records go in and come out. ``what_if`` changes the computer that
is asked about.
"""
