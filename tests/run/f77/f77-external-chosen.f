C     EXTERNAL functions as arguments, chosen at run time and passed on through two levels.
      PROGRAM MAIN
      EXTERNAL F, G
      INTRINSIC SIN, SQRT, DABS
      DOUBLE PRECISION DABS, D
      PRINT '(3F8.4)', APPLY(F, 2.), APPLY(G, 2.), APPLY(SQRT, 16.)
      PRINT '(2F8.4)', DOWN(F, G, 3., 1), DOWN(F, G, 3., 2)
      PRINT '(F8.4)', D(DABS, -2.5D0)
      END
      REAL FUNCTION APPLY(H, X)
      EXTERNAL H
      APPLY = H(X) + H(X + 1.)
      END
      REAL FUNCTION DOWN(P, Q, X, N)
      EXTERNAL P, Q
      IF (N .EQ. 1) THEN
        DOWN = APPLY(P, X)
      ELSE
        DOWN = APPLY(Q, X)
      END IF
      END
      REAL FUNCTION F(X)
      F = X**2
      END
      REAL FUNCTION G(X)
      G = 1./X
      END
      DOUBLE PRECISION FUNCTION D(H, X)
      DOUBLE PRECISION H, X
      D = 2*H(X)
      END
