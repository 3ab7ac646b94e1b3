C     Integer powers of every sort: negative bases, zero and negative exponents, right association.
      PROGRAM MAIN
      DOUBLE PRECISION D
      INTEGER*2 H
      I = -3
      H = 5
      D = 1.5D0
      PRINT *, I**3, I**2, 2**10, 2**(-1), (-1)**7, 1**(-5), 7**0, 0**0
      PRINT *, 2**3**2, -2**2, (-2)**2, H**2
      PRINT *, 2.0**(-2), D**3, (-2.0)**3, 4.0**0.5
      PRINT *, 2*3**2, -I**2, 2.0*I**2/4
      END
