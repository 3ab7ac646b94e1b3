C     ENTRY names share what is saved: a counter with open, add and close.
      PROGRAM MAIN
      CALL OPENC(5)
      CALL ADDC(3)
      CALL ADDC(4)
      CALL TELLC(N)
      PRINT *, N
      CALL OPENC(0)
      CALL TELLC(N)
      PRINT *, N
      END
      SUBROUTINE OPENC(K)
      SAVE NOW
      NOW = K
      RETURN
      ENTRY ADDC(K)
      NOW = NOW + K
      RETURN
      ENTRY TELLC(M)
      M = NOW
      END
