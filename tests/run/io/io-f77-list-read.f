C     FORTRAN 77: list-read
      PROGRAM LR
      CHARACTER*10 C, D
      COMPLEX Z
      LOGICAL L, M
      DIMENSION K(6)
      DATA K /6*-1/
      I=-1
      J=-2
      X=-3
      READ *, I, J, X
      PRINT *, I, J, X
      READ *, K
      PRINT *, K
      READ *, C, D
      PRINT *, C, D
      READ *, Z, L, M
      PRINT *, Z, L, M
      READ *, I, J, X
      PRINT *, I, J, X
      READ *, I, J, X
      PRINT *, I, J, X
      READ *, C
      PRINT *, C
      READ *, X, Y
      PRINT *, X, Y
      READ *, I
      READ *, J
      PRINT *, I, J
      END
