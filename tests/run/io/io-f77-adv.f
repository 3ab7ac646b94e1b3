C     FORTRAN 77: adv
      PROGRAM AV
      CHARACTER*3 C
      WRITE(*,'(A)',ADVANCE='NO') 'abc'
      WRITE(*,'(A)',ADVANCE='NO') 'def'
      WRITE(*,'(A)') 'g'
   10 READ(*,'(A)',ADVANCE='NO',EOR=20,SIZE=N) C
      PRINT *, C, N
      GOTO 10
   20 PRINT *, 'eor', N, C
      READ(*,'(I3)',ADVANCE='NO') I
      READ(*,'(I3)') J
      PRINT *, I, J
      END
