C     Alternate RETURN by an expression; a value out of range goes on behind the CALL.
      PROGRAM MAIN
      DO 50 K = -1, 4
      CALL PICK(K, *10, *20, *30)
      PRINT *, K, ' NEXT'
      GO TO 50
10    PRINT *, K, ' ONE'
      GO TO 50
20    PRINT *, K, ' TWO'
      GO TO 50
30    PRINT *, K, ' THREE'
50    CONTINUE
      END
      SUBROUTINE PICK(N, *, *, *)
      IF (N .EQ. 4) RETURN
      RETURN N*1
      END
