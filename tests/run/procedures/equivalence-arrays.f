C EQUIVALENCE of scalars with elements, overlapping arrays, and chains.
      PROGRAM EQUIV
      INTEGER A(6), B(3), C, D, E(2)
      EQUIVALENCE (A(2), B(1)), (C, A(6)), (B(3), D), (E(1), D)
      INTEGER I
      DO 10 I = 1, 6
   10 A(I) = I
      PRINT *, B, C, D, E
      D = 40
      E(2) = 50
      B(1) = 20
      C = 60
      PRINT *, A
      END
