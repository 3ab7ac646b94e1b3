C EQUIVALENCE between types: the bits of a real, halves of a double.
      PROGRAM EQTYPE
      REAL R
      INTEGER I, H(2)
      DOUBLE PRECISION D
      CHARACTER*4 C
      INTEGER W
      COMPLEX Z
      REAL P(2)
      EQUIVALENCE (R, I), (D, H), (C, W), (Z, P)
      R = 1.0
      PRINT *, I
      I = I + 8388608
      PRINT *, R
      D = 1.0D0
      PRINT *, H
      C = 'ABCD'
      PRINT *, W
      W = W + 1
      PRINT *, C
      Z = (3.0, 4.0)
      PRINT *, P(1), P(2)
      P(2) = -P(2)
      PRINT *, Z
      END
