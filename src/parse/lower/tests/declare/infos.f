C     Source statements of fixed form: kinds, parents, lines, text on one line.
      PROGRAM INFOS
      INTEGER I, J, K, A(10)
      REAL X
      F(X) = X + 1.0
      DO 10 I = 1, 10
      DO 10 J = 1, 10
   10 A(I) = A(I)
     1     + J
      IF (A(1)) 20, 30, 40
   20 X = F(2.0)
   30 IF (X .GT. 1.0) GO TO 50
   40 CONTINUE
      K = 1
      DO WHILE (K .LT. 3)
C       a comment in between
         K = K + 1
      END DO
      IF (K .EQ. 3) THEN
         PRINT *, 'A  B', K ! a remark
      ELSE IF (K .EQ. 4) THEN
         CALL SUB(A)
      ELSE
         A = 0
      END IF
      SELECT CASE (K)
      CASE (1:2)
         A(2:3) = A(1:2) * 2
      CASE DEFAULT
         WRITE (*, '(I5)') A
      END SELECT
   50 WHERE (A .GT. 0) A = 1
      WHERE (A .LT. 0)
         A = -A
      ELSEWHERE
         A = 2
      END WHERE
      FORALL (I = 1:10) A(I) = I
      STOP
      END
      SUBROUTINE SUB(B)
      INTEGER B(*)
      B(1) = SUM(
     &  B(1:3))
      RETURN
      END
