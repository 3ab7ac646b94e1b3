C The same COMMON block seen with other names, types and shapes.
      PROGRAM COMM
      COMMON /BLK/ A(4), I, J
      DOUBLE PRECISION D
      COMMON /DBL/ D(2)
      COMMON X, Y
      INTEGER I, J
      DO 10 K = 1, 4
   10 A(K) = K
      I = 5
      J = 6
      D(1) = 1.0D0
      X = 2.5
      CALL SUB
      PRINT *, A, I, J
      PRINT *, D
      PRINT *, X, Y
      END
      SUBROUTINE SUB
      COMMON /BLK/ B(2, 2), K(2)
      COMMON /DBL/ DA, DB
      DOUBLE PRECISION DA, DB
      COMMON P, Q
      INTEGER K
      B(1, 2) = B(1, 2) * 10.0
      K(2) = K(1) + K(2)
      DB = DA + 1.0D0
      Q = P * 2.0
      END
