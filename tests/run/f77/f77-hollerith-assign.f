C     Hollerith constants that are assigned, in PARAMETER and as initial values
      INTEGER I, J(2)
      REAL X
      DOUBLE PRECISION D
      LOGICAL L
      COMPLEX*16 Z
      INTEGER*8 K
      INTEGER P
      INTEGER :: Q = 3Hqqq
      PARAMETER (P = 4HPARM)
      DATA J /4HABCD, 4HEF  /
      I = 4HWXYZ
      X = 3Habc
      D = 8H12345678
      K = 2Hok
      Z = 16Habcdefghijklmnop
      L = 4HTRUE
      WRITE(*,'(3A4,A8,A8,2A8,A4,A4,A4)') I, J, D, K, Z, X, P, Q
      J = 4Hboth
      WRITE(*,'(2A4)') J
      CALL S(5HHello)
      END
      SUBROUTINE S(A)
      INTEGER A(2)
      WRITE(*,'(A4,A1)') A
      END
