C     Statement functions that use each other, arrays, characters and the variables of the unit.
      PROGRAM MAIN
      REAL A(3), C
      CHARACTER*3 W, FIRST*1
      LOGICAL BIG
      SQ(X) = X*X
      HYP(X, Y) = SQRT(SQ(X) + SQ(Y))
      POLY(X) = A(1) + X*(A(2) + X*A(3)) + C
      FIRST(W) = W(1:1)
      BIG(I) = I .GT. 100
      DATA A /1., 2., 3./
      C = 0.5
      PRINT *, HYP(3., 4.), POLY(2.)
      C = -0.5
      X = 7.
      PRINT *, POLY(1.), X, SQ(SQ(2.))
      PRINT *, FIRST('XYZ'), BIG(99), BIG(101)
      END
