! HPF directives that do not exist or are cut short.
program directive_unknown
  implicit none
  integer :: a(8), i
!HPF$ DISTRIBUTED a(BLOCK)
!HPF$ DISTRIBUTE a(BLOCK
!HPF$ DISTRIBUTE a(DIAGONAL)
!HPF$ ALIGN a(i) WITH
!HPF$ PROCESSORS
  do i = 1, 8
    a(i) = i
  end do
end program
