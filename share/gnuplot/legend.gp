# Above the picture, in keycolumns columns and keyrows rows.
set key at screen 0.02, screen 1 - 6 / height left top horizontal Left reverse samplen 2 maxcols keycolumns
set tmargin at screen 1 - (18 + keyline * keyrows) / height
