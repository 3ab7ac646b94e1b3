C     FORTRAN 77: unform
      PROGRAM UF
      DIMENSION A(5), B(5)
      DOUBLE PRECISION D
      CHARACTER*4 C
      OPEN(11, FORM='UNFORMATTED', STATUS='SCRATCH')
      DO 10 I = 1, 5
   10 A(I) = I*1.5
      WRITE(11) A, 7
      WRITE(11) 2.5D0, 'abcd', .TRUE.
      WRITE(11)
      WRITE(11) (A(I), I=1,5,2)
      REWIND 11
      READ(11) B, K
      PRINT *, B, K
      READ(11) D, C
      PRINT *, D, C
      READ(11)
      READ(11) X, Y
      PRINT *, X, Y
      BACKSPACE 11
      READ(11) X
      PRINT *, X
      READ(11, END=20) X
   20 PRINT *, 'end'
      REWIND 11
      READ(11, IOSTAT=I) A, K, L
      PRINT *, I .NE. 0
      END
