"""The compiled rules: records by who may know, questions, effects, counts; `table` is the way in."""
