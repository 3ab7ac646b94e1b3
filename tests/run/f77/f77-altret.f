C     Alternate RETURN
      PROGRAM ALTRET
      INTEGER I
      DO 100 I = -1, 3
      CALL SUB(I, *10, *20)
      PRINT *, I, ' normal'
      GOTO 100
   10 PRINT *, I, ' first'
      GOTO 100
   20 PRINT *, I, ' second'
  100 CONTINUE
      END
      SUBROUTINE SUB(N, *, *)
      IF (N .LE. 0) RETURN
      IF (N .EQ. 1) RETURN 1
      RETURN N
      END
