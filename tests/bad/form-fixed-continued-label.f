C A continuation line with a label.
      PROGRAM CONLAB
      INTEGER I
      I = 1
   10+    + 2
      PRINT *, I
      END
