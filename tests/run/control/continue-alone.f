C CONTINUE statements, labels on them, and blank lines do nothing.
      PROGRAM CONT
      INTEGER I
      I = 1
   10 CONTINUE

      CONTINUE
      I = I + 1
      IF (I .LT. 4) GO TO 10
      PRINT *, I
  999 CONTINUE
      END
