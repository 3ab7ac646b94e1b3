C     DATA of parts of character variables, and of logical, complex and double precision ones.
      PROGRAM MAIN
      CHARACTER*6 S, T(2)*3
      LOGICAL L(2)
      COMPLEX Z
      DOUBLE PRECISION D
      DATA S(1:2), S(3:6) /'AB', 'CD'/
      DATA T(1)(2:3), T(1)(1:1), T(2) /'YZ', 'X', 'LONGER'/
      DATA L /.TRUE., .FALSE./, Z /(1.5, -2)/, D /1/
      PRINT *, '[', S, ']', T, L, Z, D
      END
