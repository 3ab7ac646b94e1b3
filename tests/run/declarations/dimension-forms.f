C DIMENSION statement, bounds in type statements, negative lower bounds.
      PROGRAM DIMS
      DIMENSION A(3), K(2, -1:1)
      INTEGER B
      DIMENSION B(0:4)
      REAL C(-2:2, 2:3), D
      DIMENSION D(1:2, 1:2, 1:2)
      DO 10 I = 0, 4
   10 B(I) = I * I
      DO 20 J = -1, 1
      DO 20 I = 1, 2
   20 K(I, J) = 10 * I + J
      DO 30 J = 2, 3
      DO 30 I = -2, 2
   30 C(I, J) = I * J
      A(1) = B(4)
      A(2) = K(2, -1)
      A(3) = C(-2, 3)
      D = 1.5
      D(2, 1, 2) = 8
      PRINT *, A
      PRINT *, K
      PRINT *, C
      PRINT *, D
      END
