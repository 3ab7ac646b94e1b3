C     PARAMETER of every type, in terms of earlier ones, as bounds, in DATA and as CASE of a computed GO TO.
      PROGRAM MAIN
      PARAMETER (N = 3, M = 2*N + 1, PI = 3.14159, TWOPI = 2*PI)
      CHARACTER*(*) NAME
      LOGICAL YES
      COMPLEX I
      DOUBLE PRECISION E
      PARAMETER (NAME = 'CONSTANT', YES = N .LT. M, I = (0., 1.),
     & E = 1.D0/M)
      REAL A(N, -M:M)
      INTEGER K(N)
      DATA K /N*M/
      PRINT *, N, M, TWOPI, NAME, LEN(NAME), YES
      PRINT '(2F6.2,F12.9)', I, E
      A(N, -M) = N
      A(1, M) = M
      PRINT *, A(3, -7), A(1, 7), K
      PRINT *, NAME(4:6)//NAME(1:1)
      END
