C     FORTRAN 77: direct
      PROGRAM DI
      CHARACTER*10 C
      OPEN(12, ACCESS='DIRECT', RECL=10, FORM='FORMATTED',
     + STATUS='SCRATCH')
      DO 10 I = 1, 5
   10 WRITE(12, '(A,I3)', REC=I) 'rec', I*I
      READ(12, '(A)', REC=3) C
      PRINT *, C, '|'
      INQUIRE(12, NEXTREC=N, RECL=M)
      PRINT *, N, M
      WRITE(12, FMT='(A)', REC=2) 'new'
      DO 20 I = 5, 1, -1
      READ(12, REC=I, FMT='(A)') C
   20 PRINT *, C, '|'
      READ(12, '(A)', REC=99, IOSTAT=IOS) C
      PRINT *, IOS .NE. 0
      CLOSE(12)
      OPEN(13, ACCESS='DIRECT', RECL=8, STATUS='SCRATCH')
      WRITE(13, REC=2) 1.5, 7
      WRITE(13, REC=1) 2.5, 8
      READ(13, REC=2) X, I
      PRINT *, X, I
      READ(13, REC=1) X
      PRINT *, X
      END
