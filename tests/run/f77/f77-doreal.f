C     FORTRAN 77: doreal
      PROGRAM DR
      DOUBLE PRECISION D
      DO 10 X = 0.0, 1.0, 0.25
      PRINT *, X
   10 CONTINUE
      PRINT *, X
      DO 20 D = 1D0, 0D0, -0.3D0
   20 PRINT *, D
      PRINT *, D
      END
