! An array distributed twice, aligned twice, or both.
program directive_twice
  implicit none
  integer :: a(8), b(8), c(8)
!HPF$ TEMPLATE t(8)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE a(CYCLIC)
!HPF$ ALIGN b(i) WITH t(i)
!HPF$ ALIGN b(i) WITH a(i)
!HPF$ DISTRIBUTE c(BLOCK)
!HPF$ ALIGN c(i) WITH t(i)
  a = 1
end program
