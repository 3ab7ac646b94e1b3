! Two procedures of one name, two programs, two modules.
subroutine s
end subroutine
subroutine s
end subroutine
module m
end module m
module m
end module m
program first
end program first
program second
end program second
