C     FORTRAN 77: boz
      PROGRAM BZ
      INTEGER I, J, K, L
      PARAMETER (IP = 255)
      DATA I /Z'1F'/, J /O'17'/, K /B'1011'/, L /Z'ABCD'/
      PRINT *, I, J, K, L, IP
      WRITE(*,'(Z8,1X,O12,1X,B20,1X,Z8.8)') 255, 255, 255, -1
      END
