C A program without a PROGRAM statement, ended by a bare END.
      INTEGER I
      DO 10 I = 1, 2
   10 PRINT *, 'MAIN', I
      CALL S
      END
      SUBROUTINE S
      PRINT *, 'SUB'
      END
