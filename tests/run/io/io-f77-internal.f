C     FORTRAN 77: internal
      PROGRAM INTF
      CHARACTER*20 S, T(3)*8
      CHARACTER F*30, FA(3)*6
      S = ' '
      WRITE(S,'(I5,F8.3)') 42, 3.14159
      PRINT *, S, '|'
      READ(S,'(I5,F8.3)') I, X
      PRINT *, I, X
      READ(S,*) J, Y
      PRINT *, J, Y
      WRITE(T,'(A,/,A)') 'one', 'two'
      PRINT *, T(1), T(2)
      WRITE(T,'(I3)') 1,2,3
      PRINT *, T
      READ(T,'(I3)') I,J,K
      PRINT *, I,J,K
      F = '(1X,I3,F6.2)'
      WRITE(*,F) 7, 2.5
      FA(1) = '(1X,I3'
      FA(2) = ',''ab'','
      FA(3) = 'F6.2)'
      WRITE(*,FA) 8, 3.5
      WRITE(S(5:10),'(I4)') 99
      PRINT *, S
      WRITE(S,*) 5, 2.5
      PRINT *, S
      WRITE(S,'(A30)',IOSTAT=IOS) 'x'
      PRINT *, IOS .NE. 0
      READ(S,'(I5)',ERR=10) I
      PRINT *, 'not here'
   10 PRINT *, 'error'
      END
