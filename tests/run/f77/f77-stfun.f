C     FORTRAN 77: stfun
      PROGRAM STF
      CHARACTER*3 C, CC
      COMPLEX Z, W
      LOGICAL ODD
      F(X) = X**2 + A
      G(X,Y) = F(X) + F(Y)
      C(I) = CC(I:I) // '-'
      Z(X,Y) = CMPLX(X,Y)
      ODD(I) = MOD(I,2) .EQ. 1
      A = 1
      CC = 'abc'
      PRINT *, F(2.), G(1.,2.), C(2), ODD(3), ODD(4)
      W = Z(1.,2.)
      PRINT *, W
      END
