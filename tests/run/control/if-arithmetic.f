C Arithmetic IF: three ways, two equal labels, real and double operands.
      PROGRAM ARIF
      INTEGER I, J
      REAL X
      DOUBLE PRECISION D
      DO 50 I = -1, 1
        IF (I) 10, 20, 30
   10   PRINT *, I, ' LESS'
        GO TO 40
   20   PRINT *, I, ' ZERO'
        GO TO 40
   30   PRINT *, I, ' MORE'
   40   CONTINUE
        X = I * 0.5
        IF (X - 0.5) 41, 42, 42
   41   PRINT *, 'BELOW'
        GO TO 50
   42   PRINT *, 'NOT BELOW'
   50 CONTINUE
      J = 0
      D = 1.0D0
   60 D = D / 2.0D0
      J = J + 1
      IF (D - 1.0D-3) 70, 60, 60
   70 PRINT *, J, D
      END
