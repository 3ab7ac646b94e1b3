C The old spelling of every relational operator.
      PROGRAM RELOP
      INTEGER I
      DOUBLE PRECISION D
      LOGICAL A, B, C, D1, E, F
      D = 2.0D0
      DO 10 I = 1, 3
        A = I .LT. D
        B = I .LE. D
        C = I .EQ. D
        D1 = I .NE. D
        E = I .GE. D
        F = I .GT. D
        PRINT *, A, B, C, D1, E, F
   10 CONTINUE
      PRINT *, 1.EQ.1, 2.D0.GT.1.E0, 1..LT.2.
      END
