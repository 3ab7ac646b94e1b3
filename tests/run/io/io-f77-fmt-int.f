C     FORTRAN 77: fmt-int
      PROGRAM FI
      INTEGER*8 K8
      INTEGER*2 K2
      INTEGER*1 K1
      LOGICAL L, M
      K8 = -9223372036854775807_8
      K2 = -1
      K1 = 127
      L = .TRUE.
      M = .FALSE.
      WRITE(*,'(I5,I5.3,I2,I0,1X,I0.4)') 42, 42, 123, -7, 12
      WRITE(*,'(SP,I5,S,I5,SS,I5,SP,I5.3)') 1,2,3,4
      WRITE(*,'(I22,I6,I5)') K8, K2, K1
      WRITE(*,'(L1,L5,L3)') L, M, L
      WRITE(*,'(B10,O8,Z6,Z4.4,B8.8)') 5, 64, 255, 171, 5
      WRITE(*,'(Z4,Z0,1X,B0)') K2, 255, 5
      WRITE(*,'(I3.0,A,I0.0,A)') 0, '|', 0, '|'
      WRITE(*,'(I1,I3)') -5, 1000
      WRITE(*,'(5(I3,'',''))') 1,2,3,4,5
      WRITE(*,'(G8.2,G10.3,G5.1,G6.1)') 5, 1.5, .TRUE., 'ab'
      WRITE(*,'(G0,1X,G0,1X,G0,1X,G0)') 5, 1.5, .TRUE., 'ab'
      END
