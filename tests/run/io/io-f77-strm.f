C     FORTRAN 77: strm
      PROGRAM ST
      CHARACTER*5 C
      OPEN(30, ACCESS='STREAM', FORM='UNFORMATTED', STATUS='SCRATCH')
      WRITE(30) 'hello', 1, 2.5
      INQUIRE(30, POS=I)
      PRINT *, I
      READ(30, POS=1) C
      PRINT *, C
      READ(30, POS=6) J, X
      PRINT *, J, X
      WRITE(30, POS=2) 'EL'
      REWIND 30
      READ(30) C
      PRINT *, C
      CLOSE(30)
      OPEN(31, ACCESS='STREAM', FORM='FORMATTED', STATUS='SCRATCH')
      WRITE(31,'(A)') 'line one', 'two'
      INQUIRE(31, POS=I)
      PRINT *, I
      REWIND 31
      READ(31,'(A)') C
      PRINT *, C
      END
