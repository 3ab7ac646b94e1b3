C     Integer division truncates; MOD has the sign of its first argument; mixed expressions go left to right.
      PROGRAM MAIN
      PRINT *, 7/2, -7/2, 7/(-2), -7/(-2), MOD(7,3), MOD(-7,3),
     & MOD(7,-3)
      PRINT *, 1/2*4., 4.*1/2, 1/2.*4, 9/5*5, 5*9/5
      X = 7/2
      I = 7.9
      J = -7.9
      PRINT *, X, I, J, NINT(-2.5), NINT(2.5), INT(-0.9), IFIX(3.99)
      PRINT *, AMOD(7.5, 2.), ISIGN(4,-1), IDIM(3,5), IDIM(5,3),
     & MAX0(1,5,3), AMIN1(2.5,1.5)
      END
