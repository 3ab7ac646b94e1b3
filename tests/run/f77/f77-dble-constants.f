C     DOUBLE PRECISION constants, conversions both ways, specific functions and comparison with REAL.
      PROGRAM MAIN
      DOUBLE PRECISION D, E
      REAL R
      D = 0.1D0
      R = 0.1
      E = R
      PRINT *, D .EQ. E, SNGL(D) .EQ. R, DBLE(R) .EQ. E
      D = 0.1
      PRINT *, D .EQ. 0.1D0, D .EQ. E, 1.D0/4 .EQ. .25, 5D-1 .EQ. 0.5E0
      PRINT '(4F12.6)', DSQRT(2D0), DABS(-1.5D0), DMOD(7.5D0, 2D0),
     & DSIGN(2D0, -1D0)
      PRINT '(4F12.6)', DMAX1(1D0, 2.5D0), DMIN1(1D0, 2.5D0),
     & DPROD(0.5, 3.), DINT(-2.7D0)
      PRINT *, IDINT(3.9D0), IDNINT(3.5D0), DNINT(2.5D0)
      END
