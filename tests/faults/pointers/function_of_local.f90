! told at 5:12: Dangling pointer 'p'
program fault
  integer, pointer :: p
  p => local()
  print *, p
contains
  function local() result(q)
    integer, pointer :: q
    integer, target :: x
    x = 5
    q => x
  end function
end program
