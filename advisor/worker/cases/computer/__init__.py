"""Cases that measure the computer itself, whatever the job: products, memory, disk, launches, transfer, load."""
