C PARAMETER statement and constant expressions of every type.
      PROGRAM PARAM
      INTEGER N, M
      REAL X
      DOUBLE PRECISION PI
      LOGICAL L
      CHARACTER*5 S
      CHARACTER*(*) T
      COMPLEX Z
      PARAMETER (N = 4, M = N * N - 2 ** 3)
      PARAMETER (X = 7 / 2, PI = 3.14159265358979D0)
      PARAMETER (L = N .GT. 3 .AND. M .EQ. 8)
      PARAMETER (S = 'ABC', T = 'LONGER TEXT', Z = (1.5, 2))
      INTEGER A(M, -N:N)
      PRINT *, N, M, X, PI, L
      PRINT *, S, '|', T, '|', LEN(T), Z
      PRINT *, SIZE(A), -N ** 2, (-N) ** 2, 2 ** 3 ** 2
      END
