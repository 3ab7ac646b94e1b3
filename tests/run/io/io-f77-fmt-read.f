C     FORTRAN 77: fmt-read
      PROGRAM FR
      CHARACTER*5 C, D
      LOGICAL L, M
      READ(*,'(I3,I3,I3)') I,J,K
      PRINT *, I,J,K
      READ(*,'(BN,I5,BZ,I5)') I,J
      PRINT *, I,J
      READ(*,'(F5.2,F5.2,E10.3,D8.1)') A,B,X,Y
      PRINT *, A,B,X,Y
      READ(*,'(A3,A8)') C,D
      PRINT *, C,'|',D,'|'
      READ(*,'(L1,L7)') L,M
      PRINT *, L,M
      READ(*,'(T5,I2,T1,I2,2X,I1)') I,J,K
      PRINT *, I,J,K
      READ(*,'(I2,/,I2)') I,J
      PRINT *, I,J
      READ(*,'(2I2)') I,J,K
      PRINT *, I,J,K
      READ(*,'(1P,F8.2,0P,F8.2)') A, B
      PRINT *, A, B
      READ(*,'(Z4,O4,B4)') I,J,K
      PRINT *, I,J,K
      READ(*,'(I5,A)') I, C
      PRINT *, I, C
      READ(*,'(I3,I3)') I, J
      PRINT *, I, J
      END
