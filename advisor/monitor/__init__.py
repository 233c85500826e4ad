"""How busy, hot and full is this computer right now? Samples the sensors cheaply; judges nothing, wakes nothing."""
