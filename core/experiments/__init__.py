"""What can be measured on models, trained or not: counted, timed, compared, taken apart."""
