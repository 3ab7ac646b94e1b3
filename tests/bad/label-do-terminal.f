C The terminal statement of a DO stands before it, is missing, or may not end a loop.
      PROGRAM LABDO
      INTEGER I
   10 CONTINUE
      DO 10 I = 1, 3
      PRINT *, I
      DO 20 I = 1, 3
      PRINT *, I
   20 GO TO 30
   30 CONTINUE
      DO 40 I = 1, 3
      PRINT *, I
      END
