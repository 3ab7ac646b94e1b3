C     FORTRAN 77: seqfile
      PROGRAM SQ
      CHARACTER*20 L
      OPEN(10, STATUS='SCRATCH')
      DO 10 I = 1, 5
   10 WRITE(10,'(I5,A)') I, ' line'
      ENDFILE 10
      REWIND 10
   20 READ(10,'(I5)',END=30) I
      PRINT *, I
      GOTO 20
   30 CONTINUE
      BACKSPACE 10
      BACKSPACE 10
      READ(10,'(A)') L
      PRINT *, L
      REWIND(UNIT=10)
      READ(10,*) I
      READ(10,*) J
      BACKSPACE(10, IOSTAT=IOS)
      WRITE(10,'(A)') 'overwritten'
      REWIND 10
   40 READ(10,'(A)',IOSTAT=IOS) L
      IF (IOS .EQ. 0) THEN
        PRINT *, L
        GOTO 40
      ENDIF
      PRINT *, IOS
      CLOSE(10)
      END
