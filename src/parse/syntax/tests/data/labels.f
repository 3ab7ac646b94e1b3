C     Label-DO with shared terminals, and what goes wrong with them.
      SUBROUTINE GOOD
      DO 10 I = 1, 3
      DO 10 J = 1, 3
      IF (I .EQ. J) GO TO 10
      A(I,J) = 0
   10 CONTINUE
      DO 20 I = 1, 3
   20 A(I,I) = 1
      DO 30 I = 1, 3
      IF (I .EQ. 2) THEN
      DO 40 J = 1, 3
   40 IF (J .EQ. 2) A(I,J) = 2
      END IF
   30 END DO
      DO 50 I = 1, 3
      DO 50 J = 1, 3
   50 ENDDO
      END
      SUBROUTINE BAD
      DO 10 I = 1, 3
      IF (I .EQ. 2) THEN
   10 CONTINUE
      DO 20 I = 1, 3
   20 GO TO 30
   30 CONTINUE
      DO 40 I = 1, 3
      END DO
      DO 50 I = 1, 3
      END
