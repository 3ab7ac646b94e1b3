C     The same in fixed form, where blanks mean nothing.
      PROGRAM FIXED
      STRUCTURE /ITEM/
        INTEGER NUMBER
        REAL PRICE
      END STRUCTURE
      RECORD /ITEM/ ITEM, ITEMS(4)
      COMMON /STORE/ ITEMS
      DO 10 I = 1, 4
        ITEMS(I).NUMBER = I
   10   ITEMS(I) . PRICE = I * 1.5
      ITEM = ITEMS(3)
      IF (ITEM.PRICE .NE. 4.5 .OR. ITEM.NUMBER.NE.3) STOP 1
      CALL RAISE
      IF (ITEMS(2).PRICE.NE.4.0) STOP 2
      END
      SUBROUTINE RAISE
      STRUCTURE /ITEM/
        INTEGER NUMBER
        REAL PRICE
      ENDSTRUCTURE
      RECORD /ITEM/ ALL(4)
      COMMON /STORE/ ALL
      DO 20 I = 1, 4
   20 ALL(I).PRICE = ALL(I).PRICE + 1
      END
