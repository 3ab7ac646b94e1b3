C     FORTRAN 77: arif
      PROGRAM ARIF
      DOUBLE PRECISION D
      INTEGER*2 K
      DO 40 I = -1,1
      D = I
      K = I
      IF (I) 10, 20, 30
   10 PRINT *, 'NEG'
      GOTO 35
   20 PRINT *, 'ZERO'
      GOTO 35
   30 PRINT *, 'POS'
   35 IF (D*2) 36, 37, 37
   36 PRINT *, 'D<0'
   37 IF (K) 38,39,38
   38 PRINT *, 'K NZ'
   39 CONTINUE
   40 CONTINUE
      END
