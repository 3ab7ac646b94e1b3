C     FORTRAN 77: mixed
      PROGRAM MX
      INTEGER*1 I1
      INTEGER*2 I2
      INTEGER*8 I8
      REAL*8 D
      LOGICAL*1 L1
      BYTE B
      I1 = 127
      I1 = I1 + 1
      I2 = 32767
      I2 = I2 + 1
      I = 2147483647
      I = I + 1
      I8 = 2147483647
      I8 = I8 + 1
      B = -5
      L1 = .TRUE.
      PRINT *, I1, I2, I, I8, B, L1
      D = 1.1
      PRINT *, D, 1.1D0, D*2, I1*D, 7/2, 7/2., -7/2, MOD(-7,2)
      PRINT *, 2**10, 2**(-1), (-2)**3, 2.0**3, 2.0**(-2), 2**0.5, 4D0**
     +1.5
      PRINT *, (-1)**3, 1.5**I2, 0**0
      X = 5
      K = 2.9
      PRINT *, X, K, -2.9+K, INT(-2.9), NINT(-2.5)
      END
