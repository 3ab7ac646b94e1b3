C Many arguments of many types, beyond the registers of any machine.
      PROGRAM MANY
      REAL X, W(2)
      DOUBLE PRECISION D
      LOGICAL L
      COMPLEX Z
      CHARACTER*3 S, T*7
      INTEGER*2 H
      INTEGER*8 B
      X = 1.5
      D = 2.5D0
      L = .TRUE.
      Z = (1.0, -1.0)
      S = 'abc'
      T = 'longer'
      H = -2
      B = 5000000000_8
      W(1) = 0.25
      W(2) = 0.5
      CALL TAKE(1, X, D, L, Z, S, 2, W, T, 3, H, B, X, D, 'end', 4)
      PRINT *, X, D, S
      END
      SUBROUTINE TAKE(I, X, D, L, Z, S, J, W, T, K, H, B, X2, D2, E, M)
      INTEGER I, J, K, M
      REAL X, W(2), X2
      DOUBLE PRECISION D, D2
      LOGICAL L
      COMPLEX Z
      CHARACTER*(*) S, T, E
      INTEGER*2 H
      INTEGER*8 B
      PRINT *, I, J, K, M, H, B
      PRINT *, X2, D2, L, Z, W
      PRINT *, S, T, E, LEN(S), LEN(T), LEN(E)
      S = 'xyz'
      END
