C Text in the label field that is no label, and a continuation of nothing.
     1 = 3
      PROGRAM COLUMN
      INTEGER I
 AB   I = 1
      I = 2
  1 2 I = 3
12345 I = 4
X     I = 5
      END
