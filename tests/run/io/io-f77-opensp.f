C     FORTRAN 77: opensp
      PROGRAM OS
      CHARACTER*10 S
      OPEN(40, FILE='os.tmp', DELIM='QUOTE', SIGN='PLUS',
     + DECIMAL='COMMA', ROUND='UP', PAD='YES', BLANK='ZERO',
     + ENCODING='DEFAULT', ASYNCHRONOUS='NO')
      WRITE(40,*) 'str', 1.5, 2
      WRITE(40,'(F8.3,I5)') 1.23456, 7
      REWIND 40
      READ(40,'(A)') S
      PRINT *, S
      READ(40,'(A)') S
      PRINT *, S
      CLOSE(40)
      OPEN(NEWUNIT=N, FILE='os.tmp', POSITION='APPEND')
      WRITE(N,'(A)') 'last'
      PRINT *, N .LT. 0
      REWIND N
   10 READ(N,'(A)',END=20) S
      PRINT *, S
      GOTO 10
   20 CLOSE(N, STATUS='DELETE')
      WRITE(50,*) 'fort fifty'
      CLOSE(50)
      OPEN(50, FILE='fort.50', STATUS='OLD')
      READ(50,'(A)') S
      PRINT *, S
      CLOSE(50,STATUS='DELETE')
      END
