C     IMPLICIT with lengths and ranges
      PROGRAM IM
      IMPLICIT REAL*8 (A-B,O-Y), INTEGER*2 (I), LOGICAL (L)
      IMPLICIT COMPLEX*16 (Z), DOUBLE PRECISION (D-H), CHARACTER*3 (C)
      A = 1/3D0
      I = 5
      L = .TRUE.
      C = 'hello'
      Z = (1,2)
      W = A
      PRINT *, A, I, L, C, Z, W
      END
