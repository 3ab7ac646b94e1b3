C     COMPLEX with every other type, powers, comparison for equality, DATA and functions.
      PROGRAM MAIN
      COMPLEX Z, W, F
      DOUBLE PRECISION D
      Z = (1., 2.)
      W = Z*2 + 1 - (0., 1.)
      D = 0.5D0
      PRINT '(2F8.3)', W, Z**2, Z**(-1), CONJG(Z)/Z
      PRINT '(2F8.3)', F(Z), 3*Z, Z/2.
      PRINT *, Z .EQ. (1., 2.), Z .NE. W, REAL(Z) .EQ. 1., AIMAG(W)
      W = D
      PRINT '(2F8.3)', W, CMPLX(3), CMPLX(1, 2.5), CABS((3., 4.))
      I = Z
      PRINT *, I, INT(Z), DBLE(Z)
      END
      COMPLEX FUNCTION F(Z)
      COMPLEX Z
      F = Z*(0., 1.)
      END
