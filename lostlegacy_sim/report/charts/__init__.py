"""Charts: plain rows in, a drawing and its data table out. The only room with matplotlib, one kind of chart a file."""
