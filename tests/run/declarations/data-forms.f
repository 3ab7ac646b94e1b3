C DATA: repeat counts, whole arrays, implied DO, several lists, strings.
      PROGRAM DATAS
      INTEGER A(5), B(2, 3), C, D(6), I, J
      REAL X, Y(4)
      LOGICAL L(2)
      CHARACTER*4 S, T(2)
      COMPLEX Z
      DOUBLE PRECISION P
      INTEGER N
      PARAMETER (N = 3)
      DATA A / 1, 2, 3*9 /
      DATA ((B(I, J), J = 1, 3), I = 1, 2) / 1, 2, 3, 4, 5, 6 /
      DATA C, X / -7, 2.5 /, Y / 4*0.5 /
      DATA (D(I), I = 1, 5, 2) / N*8 /, (D(I), I = 2, 6, 2) / 1, 2, N /
      DATA L / .TRUE., .FALSE. /, S, T / 'ABCDEF', 'XY', 'Z' /
      DATA Z / (1.0, 2.0) /, P / 1.5D0 /
      PRINT *, A
      PRINT *, B
      PRINT *, C, X, Y
      PRINT *, D
      PRINT *, L, S, T(1), T(2), '|'
      PRINT *, Z, P
      END
