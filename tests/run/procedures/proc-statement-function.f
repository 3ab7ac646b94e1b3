C Statement functions: arguments hide variables, one uses another.
      PROGRAM STFUN
      REAL X, Y, F, G, HYP
      INTEGER I, J, K, NEXT
      DOUBLE PRECISION D
      CHARACTER*2 PAIR, A*1, B*1
      LOGICAL ODD
      F(X) = X * X + 1.0
      G(X, Y) = F(X) - F(Y) + Z
      HYP(X, Y) = SQRT(X * X + Y * Y)
      NEXT(I) = I + K
      D(I) = I / 2
      ODD(I) = MOD(I, 2) .EQ. 1
      PAIR(A, B) = B // A
      X = 100.0
      Z = 0.5
      K = 10
      PRINT *, F(2.0), G(3.0, 2.0), HYP(3.0, 4.0), X
      DO 10 J = 1, 3
      K = K + J
   10 PRINT *, NEXT(J), NEXT(NEXT(J)), D(J), ODD(J)
      PRINT *, PAIR('a', 'b')
      END
