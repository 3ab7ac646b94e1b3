C     FORTRAN 77: blkdat
      BLOCK DATA
      COMMON /C1/ I, X(3), L
      COMMON /C2/ D
      DOUBLE PRECISION D
      LOGICAL L
      DATA I, X, L /7, 1., 2*2.5, .TRUE./
      DATA D /3.25D0/
      END
      BLOCK DATA NAMED
      COMMON /C3/ S, T
      CHARACTER*4 S, T(2)
      DATA S /'abcd'/, T /'x', 'yz'/
      END
      PROGRAM P
      COMMON /C1/ I, X(3), L
      COMMON /C2/ D
      COMMON /C3/ S, T
      DOUBLE PRECISION D
      LOGICAL L
      CHARACTER*4 S, T(2)
      PRINT *, I, X, L, D
      PRINT *, S, '|', T(1), '|', T(2), '|'
      END
