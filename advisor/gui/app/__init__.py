"""The window as a whole: what is seen when, and who hears of what. Joins controllers and pages."""
